heap = int(input())
print(heap % 4, flush=True)
raise SystemExit(0 if heap < 4 else 3)
