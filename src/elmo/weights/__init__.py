"""Models on disk: published HDF5 files, our own folders and the Hugging Face Hub."""
