// A picture of the summary: one bar per family on a logarithmic scale, as SVG that needs nothing else.

import { figure, type FamilyRatio } from './report';

const WIDTH = 760;
const LABEL_WIDTH = 250;
const VALUE_WIDTH = 60;
const BAR_HEIGHT = 16;
const ROW_HEIGHT = 24;
const TOP = 64;
const BOTTOM = 36;

/** Bars of CPU ratios; those left of 1 are slower than the second server. */
export function ratioPlot(title: string, subtitle: string, ratios: readonly FamilyRatio[]): string {
  const bars = ratios.filter(({ cpu }) => Number.isFinite(cpu) && cpu > 0);
  const low = Math.min(0.5, ...bars.map(({ cpu }) => cpu));
  const high = Math.max(2, ...bars.map(({ cpu }) => cpu));
  const from = Math.floor(Math.log2(low));
  const to = Math.ceil(Math.log2(high));
  const plotWidth = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const x = (ratio: number) =>
    LABEL_WIDTH + ((Math.log2(ratio) - from) / Math.max(1, to - from)) * plotWidth;
  const height = TOP + bars.length * ROW_HEIGHT + BOTTOM;
  const bottom = TOP + bars.length * ROW_HEIGHT;
  const parts: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(16, 24, title, 'font-size="15" font-weight="600" fill="#1f2933"'),
    text(16, 44, subtitle, 'fill="#616e7c"'),
  ];
  const step = Math.max(1, Math.ceil((to - from) / 8));
  for (let power = from; power <= to; power += step) {
    const at = x(2 ** power).toFixed(1);
    parts.push(`<path d="M${at} ${TOP - 6}V${bottom}" stroke="#e4e7eb"/>`);
    parts.push(
      text(at, bottom + 18, `${figure(2 ** power)}×`, 'text-anchor="middle" fill="#616e7c"'),
    );
  }
  bars.forEach(({ family, connections, cpu }, row) => {
    const y = TOP + row * ROW_HEIGHT;
    const left = Math.min(x(1), x(cpu));
    const width = Math.max(1, Math.abs(x(cpu) - x(1)));
    const label = `${family} (${connections})`;
    parts.push(
      text(LABEL_WIDTH - 10, y + 12, label, 'text-anchor="end" fill="#1f2933"'),
      `<rect x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2" fill="${cpu >= 1 ? '#2b7a78' : '#c05621'}"/>`,
      text((Math.max(x(1), x(cpu)) + 6).toFixed(1), y + 12, figure(cpu), 'fill="#1f2933"'),
    );
  });
  parts.push(`<path d="M${x(1).toFixed(1)} ${TOP - 6}V${bottom}" stroke="#1f2933"/>`, '</svg>');
  return `${parts.join('\n')}\n`;
}

function text(x: number | string, y: number, content: string, attributes: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}
