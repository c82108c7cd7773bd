def pour(
    cup,
    amount,
):
    level = (cup.level + amount * cup.pace)
    return min(cup.rim, level)
