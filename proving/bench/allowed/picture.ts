import { format } from '../statistics.ts';
import type { AllowedRow } from './allowed.ts';

const WIDTH = 800;
const LEFT = 200;
const TOP = 74;
const BAR = { height: 16, room: 24, most: 430 } as const;
const colors = { text: '#1f2328', muted: '#59636e', Dockline: '#0969da', others: '#a5adb6' } as const;

/** Draws how long the burst of orders takes that every contender was given, a bar for each, on one axis. */
export function drawAllowed(all: readonly AllowedRow[]): string {
  const [first] = all;
  const orders = first?.orders ?? 0;
  const rows = all.filter((row) => row.orders === orders);
  const height = TOP + rows.length * BAR.room + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="13">
<title id="title">Seconds until ${format(orders)} orders that move at once are announced, at five GETs a second</title>
<desc id="description">${describe(rows)}</desc>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="#d0d7de"/>
<text x="28" y="33" font-size="17" font-weight="600" fill="${colors.text}">${format(orders)} orders that move at once, where the warehouse allows five GETs a second</text>
<text x="28" y="52" font-size="12" fill="${colors.muted}">Seconds until all six events of each are announced, and the GETs that took.</text>
${drawBars(rows)}
</svg>
`;
}

function drawBars(rows: readonly AllowedRow[]): string {
  const longest = Math.max(...rows.map(({ seconds }) => seconds.median));
  const bars = rows.map(({ name, seconds, gets, outOfOrder, lost }, index) => {
    const y = TOP + index * BAR.room;
    const width = Math.max(2, (seconds.median / longest) * BAR.most);
    const fill = name === 'Dockline' ? colors.Dockline : colors.others;
    const faults = [outOfOrder > 0 && `${format(outOfOrder)} out of order`, lost > 0 && `${format(lost)} lost`];
    const said = [`${format(seconds.median)} s, ${format(gets.median)} GETs`, ...faults.filter(Boolean)].join(', ');
    return [
      text(28, y + 12, name),
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR.height}" rx="2" fill="${fill}"/>`,
      text(LEFT + width + 10, y + 12, said),
    ].join('\n');
  });
  return bars.join('\n');
}

const text = (x: number, y: number, said: string): string =>
  `<text x="${x.toFixed(1)}" y="${y}" fill="${colors.text}">${said}</text>`;

const describe = (rows: readonly AllowedRow[]): string =>
  rows.map(({ name, seconds, gets }) => `${name} ${format(seconds.median)} s, ${format(gets.median)} GETs`).join('; ');

/** Writes the same as a table in Markdown. */
export const tableOf = (rows: readonly AllowedRow[]): string =>
  [
    '| orders at once | | all announced after | least | GETs | least | answered 429 | out of order | lost |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ orders, name, seconds, limit, gets, refused, outOfOrder, lost }) =>
        `| ${[
          format(orders),
          name,
          `${format(seconds.median)} s (${format(seconds.min)}–${format(seconds.max)})`,
          `${format(limit.seconds)} s`,
          `${format(gets.median)} (${format(gets.min)}–${format(gets.max)})`,
          format(limit.gets),
          format(refused),
          format(outOfOrder),
          format(lost),
        ].join(' | ')} |`,
    ),
  ].join('\n');
