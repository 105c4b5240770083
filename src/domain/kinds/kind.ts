import type { Milestone, stageRows } from '../lifecycle/milestone.ts';

/** Event of the specification (section 6.2). */
export interface EventRow {
  readonly name: string;
  /** Name in the specification, unique only within its family. */
  readonly label: string;
  /** Normalized, besides the label behind each word of its family. */
  readonly aliases: readonly string[];
  readonly milestone: Milestone;
  readonly retrieves: readonly string[];
  /** A guess: nobody has published or captured the name on the wire. */
  readonly assumed: boolean;
}

export const event = <N extends string, const R extends readonly string[]>(
  milestone: Milestone,
  name: N,
  ...retrieves: R
) => ({
  name,
  label: name as string,
  aliases: [] as readonly string[],
  milestone,
  retrieves,
  assumed: false,
});

export const assumed = <N extends string, const R extends readonly string[]>(
  milestone: Milestone,
  name: N,
  label: string,
  aliases: readonly string[],
  ...retrieves: R
) => ({ ...event(milestone, name, ...retrieves), label, aliases, assumed: true });

interface OperationRow {
  /** Braces stand for ids. The configuration can replace it. */
  readonly path: string;
  readonly returns: string;
  /** Name of the part that an announcement lacks without it. */
  readonly part?: string;
}

export type Operations = Readonly<Record<string, OperationRow>>;

export interface Located {
  /** Dotted path; absent if it has none. The configuration can replace it. */
  readonly id?: string;
  /** Not even its name was seen. */
  readonly isIdGuessed?: true;
  /** Pattern of the segments in paths and relations. */
  readonly segments: string;
  /** Segments before the id, if they are others. */
  readonly address?: string;
}

/** Paths of records; the group is the id. The order's is as observed; the others are assumed to follow it. */
export const addressOf = ({ segments, address = segments }: Located): RegExp =>
  new RegExp(`(?:^|/)(?:${address})/([^/?#{]+)/?(?:[?#{]|$)`, 'i');

export interface FamilyRow extends Located {
  /** Normalized, in names on the wire. The first is the specification's; the others are guesses. */
  readonly words: readonly string[];
  readonly noun?: string;
  /** Kind whose subjects its events are about. */
  readonly partOf?: string;
  /** Of several that a message names, the most specific is meant: a line before its whole, an item last. Default: 1. */
  readonly specificity?: 0 | 2;
  readonly events: readonly EventRow[];
}

export interface Kind extends FamilyRow {
  /** Begins the `subject` of a CloudEvent. */
  readonly plural: string;
  readonly operations: Operations;
  readonly retrieval: string | null;
  /** By the time of the last change, with the dotted paths of its filters. */
  readonly listing?: {
    readonly operation: string;
    readonly pageLimit: number;
    readonly changed: string;
    readonly closed: string;
  };
  /** Dotted paths that filter the rows of what has no id. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly announced: { readonly [M in Milestone]?: string };
  /** Nothing more is expected after them; besides those that are last for every kind. */
  readonly lastStages?: readonly (keyof typeof stageRows)[];
  /** Messages have its state, which is not fetched then. */
  readonly isShown?: true;
  /** It is found by its customer, too. */
  readonly isOfCustomer?: true;
  /** Its lines have events of their own, and it is picked. */
  readonly hasLines?: true;
  /** Announcements name the changed members of its advice. */
  readonly namesChanges?: true;
  readonly stageNames?: { readonly [S in keyof typeof stageRows]?: string };
  /** That deadlines count from, besides its creation. */
  readonly dates?: readonly string[];
  /** Sections fetched with it, and the one with saved elements, whose dates deadlines count from. */
  readonly sections?: { readonly setting: 'orderDetail' | 'receiptDetail'; readonly savedElements: string };
  /** It leaves with a carrier: deadlines ask for carrier and service, and it is forecast which truck it takes. */
  readonly isRouted?: true;
  readonly isTimed?: true;
}

/** As seen in the real system for orders, and guessed for the rest. */
export const listed = { changed: 'readOnly.lastModifiedDate', closed: 'readOnly.isClosed' } as const;

export const dated = {
  atRisk: 'It will probably miss its deadline: `data.deadline` says why. Never inferred; the clock says it.',
  overdue: 'Its deadline has passed. `late` is true if that was more than five minutes ago.',
  recovered: 'It was at risk or overdue and is so no longer: it is done, or its deadline has moved.',
} as const;
