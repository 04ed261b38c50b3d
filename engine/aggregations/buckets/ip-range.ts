// ip_range: IPv4 addresses by ranges, whose bounds may be addresses or masks (reference server).

import { parseInt32 } from '../../common/index';
import { ElementFailure, tokenName } from '../../query/index';
import { numberRangesKind } from './number-ranges';
import type { AskedRange } from './ranges';

export const IP_RANGE_AGGREGATION = numberRangesKind('ip_range', {
  type: 'ip',
  takesFormat: false,
  // compat: bounds are shown as addresses, whatever the field is.
  format: { kind: 'ip' },
  masked: readMask,
  unknown: (name, _member, value) =>
    new ElementFailure(`Unexpected token ${tokenName(value)} in [${name}].`),
});

const ADDRESSES = 2 ** 32;

/**
 * The range that a mask such as `10.0.0.0/8` means. compat: the parts may be divided by dots and bars as
 * well, and numbers that are too large are cut to what fits (reference server).
 *
 * @throws ElementFailure where it has not five parts; EngineError NumberFormatException
 */
function readMask(name: string, mask: string): Pick<AskedRange, 'from' | 'to'> {
  const parts = mask.split(/[.|/]/);
  while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  if (parts.length !== 5)
    throw new ElementFailure(`invalid CIDR mask [${mask}] in aggregation [${name}]`);
  const [a, b, c, d, prefix] = parts.map(parseInt32) as [number, number, number, number, number];
  const address =
    ((a << 24) & 0xff000000) | ((b << 16) & 0xff0000) | ((c << 8) & 0xff00) | (d & 0xff);
  const hostBits = 32 - prefix;
  const host = prefix === 0 ? -1 : (1 << hostBits) - 1;
  const from = (address & ~host) >>> 0;
  const to = ((address & ~host) >>> 0) + (host >>> 0) + 1;
  return { from: from === 0 ? -Infinity : from, to: to >= ADDRESSES ? Infinity : to };
}
