def write_points(folder, points):
    with open(folder + 'score.txt', 'w') as file:
        print(points, file=file)
