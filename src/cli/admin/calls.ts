import { z } from 'zod';
import type { ApiOperation, Call } from '../../admin/call.ts';
import { operations } from '../../app/operations.ts';
import type { bulkBody } from '../../bulk/filters.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';

/** Such as `show <kind> <id>` or `destinations pause <name>`. */
export interface CallLine extends ApiOperation {
  readonly method: Call['method'];
  readonly path: Call['path'];
  readonly words: readonly string[];
  /** `name` is for the help; `key` of the path, the query or the body. */
  readonly args: readonly { readonly name: string; readonly key: string; readonly isOptional: boolean }[];
  readonly example: string;
  readonly forms: Readonly<Record<string, z.ZodType>>;
  readonly toBody?: (given: Readonly<Record<string, unknown>>) => object;
}

interface Known {
  readonly line?: string;
  readonly example?: string;
}

/** Commands whose words or examples do not follow from the path; null for a call without a command, or with one made by hand. */
const known: Readonly<Record<string, Known | null>> = {
  eraseSubject: null,
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
  addDestination: { example: 'destinations add alder --settings alder.json' },
  changeDestination: { example: 'destinations change alder --settings alder.json' },
  silenceAlerts: { line: 'alerts silence <condition> <minutes>', example: 'alerts silence overdue 120' },
  getEventNames: { line: 'names' },
  acceptEventName: {
    line: 'names accept <family> <name> <as>',
    example: 'names accept order OrderConfirmV2 OrderConfirm',
  },
  forgetEventName: { line: 'names forget <family> <name>', example: 'names forget order OrderConfirmV2' },
  listAudit: { example: 'audit --since 1d' },
  refreshInBulk: { example: 'bulk refresh --attention failing' },
  resendInBulk: { example: 'bulk resend --since 3d' },
  replayInBulk: { example: 'bulk replay --tenant 9104 --destination alder --since 2h' },
  reprocessInBulk: { example: 'bulk reprocess --code unknownName' },
};

const samples: Readonly<Record<string, string>> = {
  kind: mainKind,
  name: 'alder',
  condition: 'overdue',
  incident: 'warehouse-failing@9104',
  note: '1',
};

export const shapeOf = (form: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> =>
  form && 'shape' in form ? (form.shape as Readonly<Record<string, z.ZodType>>) : {};

/** Words and arguments of a call. POSTs to destinations, alerts and bulk actions are subcommands of their lists. */
function lineOf(method: string, path: string): string {
  const parts = path.slice(1).split('/');
  const words = parts.filter((part) => !part.startsWith('{'));
  const args = parts.flatMap((part) => /^\{(?!tenant)(\w+)\}$/.exec(part)?.[1] ?? []).map((name) => `<${name}>`);
  const [list = ''] = words;
  if (method === 'GET') return (args.length > 0 ? [list, 'show', ...args] : words).join(' ');
  const isBelow = /^(destinations|alerts|bulk)$/.test(list);
  return [...(isBelow ? [list] : []), ...words.slice(-1), ...args].join(' ');
}

/** A body that is one of several by `action` makes a command for each. */
function commandsOf(operation: ApiOperation): readonly (ApiOperation & Pick<CallLine, 'toBody'>)[] {
  if (!(operation.body instanceof z.ZodDiscriminatedUnion)) return [operation];
  return (operation.body as typeof bulkBody).options.map(({ shape: { action, filter } }) => ({
    ...operation,
    id: `${action.value}InBulk`,
    summary: `${action.description}; shows a preview first`,
    body: filter.unwrap(),
    toBody: (given) => ({ action: action.value, filter: given }),
  }));
}

const idOf = (path: string): string =>
  path.startsWith('/subjects') ? '31004581' : path.startsWith('/announcements') ? 'order:9104:31004581/3/packed' : '17';

function toLine(call: string, operation: ApiOperation & Pick<CallLine, 'toBody'>): CallLine[] {
  const [method, path] = call.split(' ') as [Call['method'], Call['path']];
  const own = known[operation.id];
  if (own === null) return [];
  const line = own?.line ?? (operation.toBody ? `bulk ${operation.id.replace('InBulk', '')}` : lineOf(method, path));
  const parts = line.split(' ');
  const first = parts.findIndex((part) => /^[<[]/.test(part));
  const words = first < 0 ? parts : parts.slice(0, first);
  const args = parts.flatMap((part) => {
    const [, bracket, name = '', key = name] = /^([<[])([^=>\]]+)(?:=(\w+))?/.exec(part) ?? [];
    return bracket ? [{ name, key, isOptional: bracket === '[' }] : [];
  });
  const usual = parts.map((part) => (/^[<[]/.test(part) ? (samples[part.slice(1, -1)] ?? idOf(path)) : part)).join(' ');
  const forms = Object.assign({}, ...[operation.params, operation.query, operation.body].map(shapeOf));
  return [{ ...operation, method, path, words, args, example: own?.example ?? usual, forms }];
}

export const callLines: readonly CallLine[] = Object.entries(operations).flatMap(([call, operation]) =>
  commandsOf(operation).flatMap((it) => toLine(call, it)),
);
