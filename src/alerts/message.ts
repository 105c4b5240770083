import { conditions, factsOf } from '../domain/alerts/condition.ts';
import { type Finding, reasonIn, sayFinding } from '../domain/alerts/finding.ts';
import type { Change, News } from '../domain/alerts/telling.ts';

/** News in the words of a message. */
export interface Item {
  readonly change: Change;
  readonly finding: Finding;
  /** The news in one line. */
  readonly text: string;
  /** Since when, why, and what to do, one line each. */
  readonly lines: readonly string[];
  /** Page of the board where it is mended. */
  readonly url: string;
}

/** Message to people. */
export interface Message {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Urgent news first. */
  readonly items: readonly Item[];
  /** Number of news that are only on the board. */
  readonly more: number;
  /** Page of the board with all alerts. */
  readonly url: string;
}

/** News that one message has in full. */
const SHOWN = 20;

/** Composes a message of news. */
export function composeMessage(
  news: readonly News[],
  { id, at, boardUrl }: { readonly id: string; readonly at: number; readonly boardUrl: string },
): Message {
  const sorted = news.toSorted((a, b) => rankOf(a) - rankOf(b));
  const items = sorted.slice(0, SHOWN).map((it) => itemOf(it, at, boardUrl));
  const [first, second] = items;
  const title = first && !second ? first.text : titleOf(news);
  return { id, at, title, items, more: news.length - items.length, url: `${boardUrl}/board/alerts` };
}

/** Composes a message that says that it is a test. */
export const composeTest = (of: { readonly id: string; readonly at: number; readonly boardUrl: string }): Message => ({
  ...composeMessage([], of),
  title: 'Test: Dockline reaches this channel',
});

const names = Object.keys(conditions);

/** Ranks news: what opened, then reminders, then what is over; in each the urgent ones first. */
const rankOf = ({ change, alert: { finding } }: News): number =>
  ['opened', 'reminder', 'over'].indexOf(change) * 1000 +
  (factsOf(finding.condition).isUrgent ? 0 : 100) +
  names.indexOf(finding.condition);

function titleOf(news: readonly News[]): string {
  const count = (change: Change) => news.filter((it) => it.change === change).length;
  const parts = [
    [count('opened'), 'new'],
    [count('reminder'), 'still open'],
    [count('over'), 'over'],
  ] as const;
  const text = parts.flatMap(([number, name]) => (number > 0 ? [`${number} ${name}`] : [])).join(', ');
  return `Dockline alerts: ${text}`;
}

const beginnings = { opened: '', reminder: 'Still: ', over: 'All clear: ' } as const satisfies Record<Change, string>;

/** Says news in one line. */
export const sayNews = ({ change, alert: { finding } }: News): string => beginnings[change] + sayFinding(finding);

function itemOf(news: News, at: number, boardUrl: string): Item {
  const { change, alert } = news;
  const { finding, since } = alert;
  const { isEvent, advice } = factsOf(finding.condition);
  const text = sayNews(news);
  const lines =
    change === 'over'
      ? [`It began ${timeOf(finding.since)} and ended ${timeOf(since)}.`]
      : // An event says itself when it was.
        [
          ...(isEvent ? [] : [`Since ${timeOf(finding.since)}, ${durationOf(at - finding.since)}.`]),
          ...why(text, finding),
          advice,
        ];
  return { change, finding, text, lines, url: boardUrl + finding.path };
}

/** Says the reason, unless a text has said it. */
function why(text: string, finding: Finding): readonly string[] {
  const reason = reasonIn(finding);
  return reason === null || text.includes(reason) ? [] : [`As far as known: ${reason}.`];
}

const timeOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function durationOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** Writes a message as plain text. */
export const plainText = ({ title, items, more, url }: Message): string =>
  [
    ...(items.length === 1 ? [] : [title]),
    ...items.map(({ text, lines, url: page }) => [text, ...lines, page].join('\n')),
    ...closing(more, url),
  ].join('\n\n');

/** Returns the last line of a message: how much more there is, and where. */
export const closing = (more: number, url: string): readonly string[] => [
  more > 0 ? `And ${more} more: ${url}` : `All alerts: ${url}`,
];
