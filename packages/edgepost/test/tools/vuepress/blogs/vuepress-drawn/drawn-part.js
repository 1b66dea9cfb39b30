one()
two()
three()
four()
