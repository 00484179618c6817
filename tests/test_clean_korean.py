"""What ``dev/clean_korean.py`` does with lines of extracted articles."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "dev"))
from clean_korean import cleaned


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("존 베어드(, 1888년 8월 13일 ~ )는 엔지니어이다.", "존 베어드(1888년 8월 13일 ~ )는 엔지니어이다."),
        ("카렐리야(, , , )는 땅을 이른다.", "카렐리야는 땅을 이른다."),
        ("맥주(麥酒, , )는 술이다.", "맥주(麥酒)는 술이다."),
        ("《요리 전설》(원어 : )는 일본의 게임이다.", "《요리 전설》는 일본의 게임이다."),
        ("외산중학교(外山中學校)는 학교이다.", "외산중학교(外山中學校)는 학교이다."),
        ("함수 f(x)와 정의(定義: 뜻)이다.", "함수 f(x)와 정의(定義: 뜻)이다."),
        ("국왕 [[세바스티앙 (포르투갈)|세바스티앙]]과 [[최규하]]이다.", "국왕 세바스티앙과 최규하이다."),
        ("구속영장을 신청했다.<br>", "구속영장을 신청했다."),
        ('인구는 많다.<ref name="a">통계 1쪽</ref> 넓다.', "인구는 많다. 넓다."),
        ("3 < 5 이고 5 > 3 이다.", "3 < 5 이고 5 > 3 이다."),
        ("[[분류:신성 로마 제국이 참가한 전투]]", ""),
        ("!colspan=2| 합계 || 2 || 2 || 2 || 6", ""),
        ("Who will be strong and stand with me?", ""),
        ("n → p + e- + νe", ""),
    ],
)
def test_lines(line: str, expected: str) -> None:
    assert cleaned(line) == expected
