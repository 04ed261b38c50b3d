// Tests that not every machine can run, or that not every run should. They are left out aloud: the reporter
// in test/support/skipped-reporter.js lists them with the reason at the end of a run.

/** `test` where the condition holds, else a skipped test with the reason in its name. */
export function onlyWhere(
  condition: boolean,
  needs: string,
): (name: string, run: jest.ProvidesCallback) => void {
  return (name, run) => {
    if (condition) test(name, run);
    else test.skip(`${name} [needs ${needs}]`, run);
  };
}
