"""Writes docs/guide/loans.csv: made-up loans whose chances follow seven facts, and nothing else.

python docs/guide/loans.py > docs/guide/loans.csv
"""

import math
import random

FACTS = [
    ("income >= 1800", 1.6),
    ("debt >= 0.4", -1.8),
    ("late >= 2", -1.6),
    ("employed >= 5", 1.2),
    ("age >= 30", 1.2),
    ("purpose = car", -1.2),
    ("owner = yes", 1.0),
]

rng = random.Random(1)
print("age,income,debt,late,employed,purpose,owner,amount,applied,repaid")
for _ in range(1000):
    age = rng.uniform(18, 75)
    income = 600 * math.exp(2.5 * rng.random())
    debt = rng.uniform(0, 0.9)
    late = rng.choice([0, 0, 0, 1, 1, 2, 3, 4])
    employed = rng.uniform(0, 20)
    purpose = rng.choice(["car", "house", "school", "business", "other"])
    owner = rng.choice(["yes", "no"])
    amount = rng.uniform(500, 20_000)
    applied = f"{rng.randint(2021, 2024)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    holds = [income >= 1800, debt >= 0.4, late >= 2, employed >= 5, age >= 30, purpose == "car", owner == "yes"]
    score = sum(weight for (_, weight), fact in zip(FACTS, holds, strict=True) if fact)
    repaid = "yes" if rng.random() < 1 / (1 + math.exp(0.7 - score)) else "no"
    print(f"{age:.1f},{income:.0f},{debt:.3f},{late},{employed:.1f},{purpose},{owner},{amount:.0f},{applied},{repaid}")
