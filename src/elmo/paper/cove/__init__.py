"""CoVe, the comparison of tables 5 and 6."""
