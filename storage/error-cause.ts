// Looking into errors of others. Their classes are not asked: errors of system calls and native add-ons
// may come from another realm, where `instanceof Error` is false.

/** How many causes are followed. */
const MAX_DEPTH = 8;

/** An error and its causes, outermost first. */
function chain(error: unknown): object[] {
  const errors: object[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && errors.length < MAX_DEPTH) {
    errors.push(at);
    at = 'cause' in at ? at.cause : undefined;
  }
  return errors;
}

/** The `code` of an error and of its causes, outermost first. */
export function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (const at of chain(error)) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
  }
  return codes;
}

/** The messages of an error and of its causes, in one line. */
export function messageOf(error: unknown): string {
  const messages: string[] = [];
  for (const at of chain(error)) {
    if (!('message' in at) || typeof at.message !== 'string') continue;
    // Our own errors quote their cause already.
    if (messages.at(-1)?.includes(at.message) !== true) messages.push(at.message);
  }
  return messages.length === 0 ? String(error) : messages.join(': ');
}
