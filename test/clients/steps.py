"""What the sessions of Python clients are made of: steps, which build on each other, and what they say."""

import logging
import sys
import traceback

STEPS = []


def step(name):
    """Registers a part of the session; later ones build on what it leaves."""

    def register(run):
        STEPS.append((name, run))
        return run

    return register


def equal(actual, expected):
    assert actual == expected, '%r is not %r' % (actual, expected)


def refused(error, call, *args, **more):
    """The error of a call that has to be refused with it."""
    try:
        call(*args, **more)
    except error as e:
        return e
    raise AssertionError('nothing was refused')


def run(es, logger):
    """Runs all steps with a client, and ends with 1 when a step went wrong."""
    # Refusals that a step asks for are no news.
    logging.getLogger(logger).setLevel(logging.CRITICAL)
    wrong = 0
    for name, each in STEPS:
        try:
            each(es)
            print('ok       %s' % name)
        except Exception:
            wrong += 1
            print('WRONG    %s' % name)
            traceback.print_exc(file=sys.stdout)
    sys.exit(1 if wrong > 0 else 0)
