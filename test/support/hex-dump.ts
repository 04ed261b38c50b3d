// Hex dumps in the layout of docs/format.md.

/** Bytes as the format documents show them: title, offset, 16 bytes, printable characters. */
export function hexDump(title: string, bytes: Buffer): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = [...row].map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    lines.push(
      `${title.padEnd(5)} ${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${text.join('')}`,
    );
  }
  return lines.join('\n');
}
