"""The built-in data sets."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from . import _hardlim, _inputs


def _load(
    name: str,
    return_X_y: bool,
    as_frame: bool,
    n_samples: int | None = None,
    n_features: int | None = None,
    random_state: _inputs.Seed = 0,
) -> Any:
    X: Any
    columns, X, names, description = _hardlim.dataset(name, n_samples, n_features, _inputs.seed(random_state))
    target_name, target = columns[-1]
    target = np.asarray(target)
    frame = None
    if as_frame:
        import pandas as pd

        frame = pd.DataFrame(dict(columns))
        X, target = frame.iloc[:, :-1], frame.iloc[:, -1]
        names = list(X.columns)
    if return_X_y:
        return X, target
    return Bunch(
        data=X,
        target=target,
        frame=frame,
        feature_names=names,
        target_name=target_name,
        DESCR=description,
    )


def load_titanic(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Who survived the Titanic, by class, age and sex: 2201 rows, 14 of them distinct.

    With ``as_frame``, the data are a pandas frame of the original columns; otherwise they are encoded as numbers.
    """
    return _load("titanic", return_X_y, as_frame)


def load_tic_tac_toe(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Every board that a game of tic-tac-toe can end with, 958 of them: did x win?

    With ``as_frame``, the data are a pandas frame of the original columns; otherwise they are encoded as numbers.
    """
    return _load("tic-tac-toe", return_X_y, as_frame)


def load_line(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Five points on a line, fitted by two threshold neurons."""
    return _load("line", return_X_y, as_frame)


def load_teacher2(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    random_state: _inputs.Seed = 0,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Gaussian points, labelled by a random network with one hidden layer of 20 tanh."""
    return _load("teacher2", return_X_y, as_frame, n_samples, n_features, random_state)


def load_teacher3(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    random_state: _inputs.Seed = 0,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Gaussian points, labelled by a random network with two hidden layers of 20 tanh."""
    return _load("teacher3", return_X_y, as_frame, n_samples, n_features, random_state)
