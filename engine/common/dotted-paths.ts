// Paths of fields, whose parts are separated by dots.

/** Whether a test holds for a dotted path, or for that of an object around it. */
export function someOutward(path: string, test: (path: string) => boolean): boolean {
  if (test(path)) return true;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    if (test(path.slice(0, dot))) return true;
  }
  return false;
}
