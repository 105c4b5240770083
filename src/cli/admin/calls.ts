import type { z } from 'zod';
import type { ApiOperation, Call } from '../../admin/call.ts';
import { operations } from '../../app/operations.ts';

/** Call of the API with the command that makes it, such as `bulk show <id>` or `destination <name> pause`. */
export interface CallLine extends ApiOperation {
  readonly method: Call['method'];
  readonly path: Call['path'];
  readonly words: readonly string[];
  /** Arguments: what the help calls each, and its key in the path, the query or the body. */
  readonly args: readonly { readonly name: string; readonly key: string; readonly isOptional: boolean }[];
  /** Word after the arguments, which tells calls with the same words apart. */
  readonly verb: string;
  readonly example: string;
  /** Forms of everything that a caller may give, by its key. */
  readonly forms: Readonly<Record<string, z.ZodType>>;
}

/** Command of a call: its line, unless its path says it, and an example of it. */
interface Known {
  readonly line?: string;
  readonly example?: string;
}

/** Commands whose words or examples do not follow from the path of their call; null for a call without one, or with one made by hand. */
const known: Readonly<Record<string, Known | null>> = {
  getStatus: null,
  eraseSubject: null,
  previewBulk: null,
  confirmBulk: null,
  getSchema: null,
  getRecord: null,
  getOpenApi: null,
  listSubjects: { example: 'subjects --stage packed --older-than 1d' },
  getSubject: { line: 'show <kind> <id>' },
  search: { line: 'search <text=q>', example: 'search PO-77120' },
  addNote: { line: 'note <kind> <id> <text>', example: 'note order 31004581 "Waits for a pallet"' },
  removeNote: { line: 'remove-note <kind> <id> <note>' },
  listWebhooks: { example: 'webhooks --since 8h --kind order' },
  listQuarantine: { example: 'quarantine --summary' },
  listAnnouncements: { example: 'announcements --state dead-lettered --since 1d' },
  listDestinations: { example: 'destinations --state paused' },
  addDestination: { example: 'destination alder add --settings alder.json' },
  changeDestination: { example: 'destination alder change --settings alder.json' },
  listAlertsMessages: { example: 'alerts messages --since 7d' },
  silenceAlerts: { line: 'alerts silence <condition>', example: 'alerts silence overdue --for 2h' },
  unsilenceAlerts: { line: 'alerts unsilence <condition>' },
  testAlerts: { line: 'alerts test [channel]', example: 'alerts test' },
  getEventNames: { line: 'names' },
  acceptEventName: {
    line: 'names accept <name> <as>',
    example: 'names accept OrderConfirmV2 OrderConfirm --of order',
  },
  forgetEventName: { line: 'names forget <name>', example: 'names forget OrderConfirmV2 --of order' },
  listAudit: { example: 'audit --since 1d' },
  listBulk: { line: 'bulk list' },
  getBulk: { line: 'bulk show <id>' },
  cancelBulk: { line: 'bulk cancel <id>' },
};

/** Arguments of examples. */
const samples: Readonly<Record<string, string>> = { kind: 'order', name: 'alder', condition: 'overdue', note: '1' };

/** Returns the forms of the members of an object; none for any other form. */
export const shapeOf = (form: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> =>
  form && 'shape' in form ? (form.shape as Readonly<Record<string, z.ZodType>>) : {};

/** Returns the line of a call: the words of a GET's path; of a POST the last one, which says what is done. */
function lineOf(method: string, path: string): string {
  const parts = path.slice(1).split('/');
  const words = parts.filter((part) => !part.startsWith('{'));
  const args = parts.flatMap((part) => /^\{(?!tenant)(\w+)\}$/.exec(part)?.[1] ?? []).map((name) => `<${name}>`);
  if (path.startsWith('/destinations/')) return ['destination', ...args, ...words.slice(1)].join(' ');
  return [...(method === 'GET' ? words : words.slice(-1)), ...args].join(' ');
}

const idOf = (path: string): string =>
  path.startsWith('/subjects') ? '31004581' : path.startsWith('/announcements') ? 'order:9104:31004581/3/packed' : '17';

function toLine(call: string, operation: ApiOperation): CallLine[] {
  const [method, path] = call.split(' ') as [Call['method'], Call['path']];
  const own = known[operation.id];
  if (own === null) return [];
  const line = own?.line ?? lineOf(method, path);
  const parts = line.split(' ');
  const first = parts.findIndex((part) => /^[<[]/.test(part));
  const words = first < 0 ? parts : parts.slice(0, first);
  const args = parts.flatMap((part) => {
    const [, bracket, name = '', key = name] = /^([<[])([^=>\]]+)(?:=(\w+))?/.exec(part) ?? [];
    return bracket ? [{ name, key, isOptional: bracket === '[' }] : [];
  });
  const usual = parts.map((part) => (/^[<[]/.test(part) ? (samples[part.slice(1, -1)] ?? idOf(path)) : part)).join(' ');
  const forms = Object.assign({}, ...[operation.params, operation.query, operation.body].map(shapeOf));
  const verb = parts.slice(words.length + args.length).join(' ');
  return [{ ...operation, method, path, words, args, verb, example: own?.example ?? usual, forms }];
}

/** Every call that has a command. */
export const callLines: readonly CallLine[] = Object.entries(operations).flatMap(([call, operation]) =>
  toLine(call, operation),
);
