def pour(
    cup,
    amount,
):
    level = (cup.level + amount)
    return min(cup.rim, level)
