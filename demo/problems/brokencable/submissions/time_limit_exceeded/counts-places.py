# Looks for the joint that halves the places best: it counts the places for each joint, O(n^2).
places = list(range(1, int(input())))
while len(places) > 1:
    best, most = 0, 0
    for joint in places:
        live = sum(place >= joint for place in places)
        removed = min(live, len(places) - live)
        if removed > most:
            best, most = joint, removed
    print('?', best, flush=True)
    is_live = input() == 'live'
    places = [place for place in places if (place >= best) == is_live]
print('!', places[0], flush=True)
