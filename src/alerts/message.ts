import { duration } from '../admin/board/text.ts';
import { clockTime } from '../base/moment.ts';
import { type Change, changes, type News } from '../domain/health/alert.ts';
import { conditions, factsOf } from '../domain/health/condition.ts';
import { countThings, type Incident, reasonIn, sayHeldUp } from '../domain/health/incident.ts';

export interface Item {
  readonly change: Change;
  readonly finding: Incident;
  readonly text: string;
  readonly lines: readonly string[];
  readonly url: string;
}

export interface Message {
  readonly id: string;
  readonly title: string;
  readonly at: number;
  /** Urgent ones first. */
  readonly items: readonly Item[];
  /** Number of further alerts, which only the board shows. */
  readonly more: number;
  readonly url: string;
}

const SHOWN = 20;

interface Frame {
  readonly id: string;
  readonly at: number;
  readonly boardUrl: string;
  readonly timeZone: string;
}

export function composeMessage(news: readonly News[], frame: Frame): Message {
  const { id, at, boardUrl } = frame;
  const sorted = news.toSorted((a, b) => rankOf(a) - rankOf(b));
  const items = sorted.slice(0, SHOWN).map((it) => itemOf(it, frame));
  const [first, second] = items;
  const title = first && !second ? first.text : titleOf(news);
  return { id, at, title, items, more: news.length - items.length, url: `${boardUrl}/board/alerts` };
}

export const composeTest = (frame: Omit<Frame, 'timeZone'>): Message => ({
  ...composeMessage([], { ...frame, timeZone: 'UTC' }),
  title: 'Test: Dockline reaches this channel',
});

const names = Object.keys(conditions);

const rankOf = ({ change, alert: { finding } }: News): number =>
  changes.indexOf(change) * 1000 + (factsOf(finding.condition).isUrgent ? 0 : 100) + names.indexOf(finding.condition);

const counted = { opened: 'new', changed: 'changed', grew: 'grown', reminder: 'still open', over: 'resolved' } as const;

function titleOf(news: readonly News[]): string {
  const parts = changes.flatMap((change) => {
    const count = news.filter((it) => it.change === change).length;
    return count > 0 ? [`${count} ${counted[change]}`] : [];
  });
  return `Dockline alerts: ${parts.join(', ')}`;
}

export function sayNews({ change, alert }: News): string {
  const { finding } = alert;
  if (change === 'over')
    return `Resolved after ${durationOf(alert.since - finding.since)}: ${finding.ended}${caughtUp(alert)}`;
  if (change === 'changed') return `Changed: ${finding.title}`;
  if (change === 'grew') return `Grown to ${countThings(finding)}: ${finding.title}`;
  return change === 'reminder' ? `Still: ${finding.title}` : finding.title;
}

function caughtUp({ finding, most = 0 }: News['alert']): string {
  const { caughtUp: verb } = factsOf(finding.condition);
  if (verb === undefined || finding.isOver || most === 0) return '';
  return `, ${countThings({ ...finding, count: most })} ${verb}`;
}

function itemOf(news: News, { at, boardUrl, timeZone }: Frame): Item {
  const { change, alert } = news;
  const { finding, since } = alert;
  const { does, help } = factsOf(finding.condition);
  const text = sayNews(news);
  const heldUp = sayHeldUp(finding);
  const reason = reasonIn(finding, text);
  const timeOf = (time: number) => clockTime(time, { now: at, timeZone });
  const lines =
    change === 'over'
      ? [`From ${timeOf(finding.since)} to ${timeOf(since)}.`]
      : [
          `Since ${timeOf(finding.since)}, ${durationOf(at - finding.since)}.`,
          ...(heldUp === null ? [] : [`${heldUp}.`]),
          ...(reason === null ? [] : [`As far as known: ${reason}.`]),
          does,
          help,
        ];
  return { change, finding, text, lines, url: boardUrl + finding.path };
}

/** To the minute. */
const durationOf = (ms: number): string => duration(ms < MINUTE_MS ? ms : ms - (ms % MINUTE_MS));

const MINUTE_MS = 60_000;

export const plainText = ({ title, items, more, url }: Message): string =>
  [
    ...(items.length === 1 ? [] : [title]),
    ...items.map(({ text, lines, url: page }) => [text, ...lines, page].join('\n')),
    ...closing(more, url),
  ].join('\n\n');

export const closing = (more: number, url: string): readonly string[] => [
  more > 0 ? `And ${more} more: ${url}` : `All alerts: ${url}`,
];
