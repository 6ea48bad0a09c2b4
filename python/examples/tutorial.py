# %% [markdown]
# # Threshold networks with a proof
#
# A threshold neuron answers one bit, `1{w·x + b ≥ 0}`. hardlim trains networks of them,
#
#     f(x) = Σⱼ aⱼ 1{wⱼ·x + bⱼ ≥ 0},
#
# to the global optimum of `L(f(X)) + β Σ|aⱼ|`, and proves how near it came.

# %%
import hardlim
import numpy as np
from hardlim import ThresholdClassifier, ThresholdClassifierCV, ThresholdRegressor
from hardlim.datasets import load_line, load_tic_tac_toe, load_titanic

# %% [markdown]
# ## A first network
# Who survived the Titanic, by class, age and sex. There are 2201 rows, but only 14 that differ, and 442 ways in
# which a neuron can answer on them: the optimum over all of these is found and proven.

# %%
X, y = load_titanic(return_X_y=True)
model = ThresholdClassifier(beta=10).fit(X, y)
print(model.certificate_)
print(f"{model.n_neurons_} neurons, accuracy {model.score(X, y):.3f}")
assert model.gap_ < 1e-6 and model.certificate_.scope == "global"

# %% [markdown]
# The network is a few arrays, and its objective is what it says.

# %%
weights, biases = model.network_.layers[0]
output = (X @ weights.T + biases >= 0) @ model.network_.amplitudes
signs = np.where(y == "yes", 1.0, -1.0)
by_hand = np.sum((output - signs) ** 2) / 2 + model.beta_ * np.abs(model.network_.amplitudes).sum()
print(by_hand, model.objective_)
assert np.isclose(by_hand, model.objective_)

# %% [markdown]
# The proof can be made again from the model and the data alone, by code that does not know the trainer.

# %%
assert hardlim.certify(model, X, y)

# %% [markdown]
# ## Where the patterns are too many to list
# On the boards of tic-tac-toe there may be 10²¹ patterns. hardlim searches them for those that help. With
# neurons that read two inputs each the optimum over *all* such networks is certified.

# %%
X, y = load_tic_tac_toe(return_X_y=True)
pairs = ThresholdClassifier(max_inputs=2, beta=30).fit(X, y)
print(pairs.certificate_)
print(f"{pairs.n_neurons_} neurons, accuracy {pairs.score(X, y):.3f}")

# %% [markdown]
# ## Choosing the strength
# Large `β` gives few neurons, small `β` a good fit. Cross-validation picks.

# %%
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2))
y = np.where((X[:, 0] > 0) ^ (X[:, 1] > 0.5), "in", "out")
chosen = ThresholdClassifierCV(cv=4, n_ratios=10, patterns=300).fit(X, y)
print(f"beta = {chosen.beta_:.3g}, {chosen.n_neurons_} neurons, accuracy {chosen.score(X, y):.3f}")

# %% [markdown]
# A whole path of strengths, each optimum with its bound:

# %%
path = hardlim.path(X, y, patterns=300, points=20)
print(f"{path.n_neurons[0]:.0f} to {path.n_neurons[-1]:.0f} neurons")

# %% [markdown]
# ## Numbers
# A regression is a sum of steps. Five points on a line are answered by two neurons, and no network that
# answers all of them has a smaller norm.

# %%
X_line, y_line = load_line(return_X_y=True)
exact = hardlim.interpolate(X_line, y_line)
print(exact)
steps = ThresholdRegressor(beta=0.01).fit(X_line, y_line)
print(np.round(steps.predict(X_line), 3))

# %% [markdown]
# ## The programs on their own
# Any matrix of zeros and ones will do for the Lasso; the patterns of a small arrangement, for example.

# %%
patterns = hardlim.arrangements(X_line).patterns
solution = hardlim.solve_lasso(patterns, y_line, 0.01)
print(patterns.shape, solution)
assert np.isclose(solution.objective, steps.objective_)

# %% [markdown]
# ## Keeping it
# Model files are shared with the command line: `hardlim predict`, `hardlim certify`, ….

# %%
model.save("titanic.hardlim")
X, y = load_titanic(return_X_y=True)
assert hardlim.load("titanic.hardlim").model_ == model.model_

# %% [markdown]
# ## Pictures
# With matplotlib installed (`pip install hardlim[plot]`).

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib, no pictures")
else:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.where((X[:, 0] > 0) ^ (X[:, 1] > 0.5), "in", "out")
    hardlim.plot_boundary(ThresholdClassifier(beta=2).fit(X, y), X, y)
    plt.savefig("boundary.png")
    hardlim.plot_path(path)
    plt.savefig("path.png")
