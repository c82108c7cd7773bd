"""The table is what the library says: each call goes where the declarations of the three implementations lead."""

import pytest
from table import CALLS, DEVICES, NONE, layout, served_by, table
from tileops.gemm import GEMMFwdOp

NT = (False, True)


@pytest.mark.parametrize(
    ("device", "call", "key"),
    [
        ("H200", (128, 128, 128, *NT), "gemm_tma"),
        ("L40S", (128, 128, 128, *NT), "gemm_cp_async"),
        ("H200", (1, 128, 128, *NT), "gemv"),
        ("L40S", (1, 128, 128, *NT), "gemv"),
        ("A100", (1, 128, 128, *NT), "gemm_cp_async"),
        ("H200", (128, 128, 100, *NT), "gemm_cp_async"),
        ("H200", (128, 128, 1, *NT), NONE),
        ("H200", (1, 128, 1, *NT), "gemv"),
    ],
)
def test_a_call_goes_where_the_declarations_lead(device, call, key):
    assert served_by(*call, DEVICES[device]) == key


def test_an_architecture_that_nothing_is_built_for_is_served_by_nothing():
    assert served_by(128, 128, 128, *NT, {**DEVICES["H200"], "arch": 75}) == NONE


def test_the_table_has_a_row_a_call_and_names_only_keys_of_the_op():
    head, *rows = table()

    assert len(rows) == len(CALLS)
    assert {len(row) for row in rows} == {len(head)}
    assert {key for row in rows for key in row[2:]} == {*GEMMFwdOp.kernel_types, NONE}
    assert [layout(*call[3:]) for call in CALLS] == [row[1] for row in rows]
