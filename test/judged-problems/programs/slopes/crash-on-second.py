# Exits with 1 after the right output, when the input has more than two lines.
count = int(input())
for _ in range(count):
    rise, run = map(int, input().split())
    print(rise / run)
raise SystemExit(0 if count < 2 else 1)
