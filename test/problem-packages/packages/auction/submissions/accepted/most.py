print(min({{highest}}, int(input())))
