import { figure } from './figure.ts';
import { colors, type Line, MARGIN, pictureOf, space, textLine } from './picture.ts';
import type { Results } from './results.ts';
import { settingOf } from './setting.ts';
import { intakeStandingsOf, nameOf, type Standing, standingsOf } from './standings.ts';
import { element, escapeText } from './svg.ts';

/** Bars under one heading. */
interface Group {
  readonly heading: string;
  readonly standings: readonly Standing[];
}

const BARS_AT = 200;
/** Leaves room for the value beside the longest bar. */
const LONGEST_BAR = 430;
const BAR_HEIGHT = 16;

const barColors = { bare: '#a5adb6', textbook: '#a5adb6', sqlite: '#5b9bf3', postgres: '#36b5a6' } as const;

/** Draws the speeds as an SVG for a page: bars from zero with values, ratios and spreads, and where they were measured. */
export function chart(results: Results): string {
  const endToEnd: Group[] = [
    { heading: '16 orders at a time', standings: standingsOf(results, '16') },
    { heading: '64 orders at a time', standings: standingsOf(results, '64') },
    { heading: 'All orders at once', standings: standingsOf(results, 'burst') },
  ];
  const intake: Group = { heading: 'Requests a second at 64 connections', standings: intakeStandingsOf(results) };
  const lines = [
    ...section(
      ['End to end', 'Events a second, from the first webhook to the last announcement; × is to the textbook.'],
      endToEnd,
    ),
    ...section(['Webhook alone', '× is to bare Fastify, which neither verifies nor keeps what it is sent.'], [intake]),
    ...captionOf(results),
  ];
  return pictureOf(lines, { title: TITLE, description: [...endToEnd, intake].filter(hasBars).map(inWords).join(' ') });
}

const TITLE = 'Events a second end to end, and requests a second of the webhook alone';

const hasBars = ({ standings }: Group): boolean => standings.length > 0;

/** Nothing where nothing was measured. */
function section([heading, subheading]: readonly [string, string], groups: readonly Group[]): Line[] {
  if (!groups.some(hasBars)) return [];
  return [
    space(14),
    textLine(26, heading, { 'font-size': 17, 'font-weight': 600, fill: colors.text }),
    textLine(19, subheading, small),
    ...barsOf(groups),
  ];
}

const captionOf = (results: Results): Line[] => [
  space(10),
  ...[...settingOf(results), SPREAD].map((text) => textLine(18, text, small)),
  space(12),
];

const SPREAD = 'The dark line at the end of a bar reaches from the slowest round to the fastest.';
const small = { 'font-size': 12, fill: colors.quiet };

/** Groups with one scale, so that they compare. */
function barsOf(groups: readonly Group[]): Line[] {
  const most = Math.max(...groups.flatMap(({ standings }) => standings.map(({ measured }) => measured.max)));
  const scale = most > 0 ? LONGEST_BAR / most : 0;
  return groups.flatMap(({ heading, standings }) => [
    textLine(30, heading, { 'font-weight': 600, fill: colors.text }),
    space(2),
    ...standings.map((standing) => barLine(standing, scale)),
  ]);
}

const barLine = (standing: Standing, scale: number): Line => ({
  height: BAR_HEIGHT + 6,
  draw(y) {
    const { contender, measured } = standing;
    const box = { x: BARS_AT, y, width: measured.median * scale, height: BAR_HEIGHT };
    const text = { y: y + BAR_HEIGHT - 4, fill: colors.text };
    return [
      element('text', { x: MARGIN, ...text }, escapeText(nameOf[contender])),
      element('rect', { ...box, rx: 2, fill: barColors[contender] }),
      spread(BARS_AT + measured.min * scale, BARS_AT + measured.max * scale, y + BAR_HEIGHT / 2),
      element('text', { x: BARS_AT + measured.max * scale + 10, ...text }, ...labelOf(standing)),
    ].join('\n');
  },
});

const labelOf = ({ measured, ratio }: Standing): string[] => [
  figure(measured.median),
  ...(ratio === null ? [] : [' ', element('tspan', { dx: 4, 'font-weight': 600 }, `${figure(ratio)}×`)]),
];

/** A thin line between two ends, each with its mark. */
const spread = (from: number, to: number, y: number): string =>
  element(
    'g',
    { stroke: colors.text, 'stroke-width': 1 },
    element('line', { x1: from, y1: y, x2: to, y2: y }),
    ...[from, to].map((x) => element('line', { x1: x, y1: y - 3, x2: x, y2: y + 3 })),
  );

const inWords = ({ heading, standings }: Group): string =>
  `${heading}: ${standings.map(({ contender, measured }) => `${nameOf[contender]} ${figure(measured.median)}`).join(', ')}.`;
