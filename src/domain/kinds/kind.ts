import type { Milestone, stageRows } from '../lifecycle/milestone.ts';

/** Event of the specification's section 6.2. */
export interface EventRow {
  /** Its `eventType`. */
  readonly name: string;
  /** Name in the specification, unique only within its family. */
  readonly label: string;
  /** Other names on the wire, normalized, besides the label behind each word of its family. */
  readonly aliases: readonly string[];
  readonly milestone: Milestone;
  /** Operations that return its details; empty if the specification has none. */
  readonly retrieves: readonly string[];
  /** The name on the wire is a guess: nobody has published or captured it. */
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
) => ({ name, label, aliases, milestone, retrieves, assumed: true });

/** GET of the warehouse's API. */
interface OperationRow {
  /** Standard path, in which braces stand for ids. The configuration can replace it. */
  readonly path: string;
  /** Plural of what it returns. */
  readonly returns: string;
  /** What an announcement lacks without it, if it returns no subject. */
  readonly part?: string;
}

/** Operations by their names in the specification: "Get Orders Picklist" is `getOrdersPicklist`. */
export type Operations = Readonly<Record<string, OperationRow>>;

/** Record with an address of its own. */
export interface Located {
  /** Dotted path of its id; absent if it has none. The configuration can replace it. */
  readonly id?: string;
  /** Not even the name of its id was seen. */
  readonly isIdGuessed?: true;
  /** Pattern of the segments by which paths and relations name it. */
  readonly segments: string;
  /** Pattern of the segments that its id follows, if they are others. */
  readonly address?: string;
}

/** Returns the pattern of the paths at which records are, whose group is the id. The order's is as observed; the others are assumed to follow it. */
export const addressOf = ({ segments, address = segments }: Located): RegExp =>
  new RegExp(`(?:^|/)(?:${address})/([^/?#{]+)/?(?:[?#{]|$)`, 'i');

/** Events that are about the same thing. */
export interface FamilyRow extends Located {
  /** Normalized words for it in names on the wire. The first is the specification's; the others are guesses. */
  readonly words: readonly string[];
  /** Default: its key. */
  readonly noun?: string;
  /** Kind whose subjects its events are about. Default: itself. */
  readonly partOf?: string;
  /** Of several that a path or the ids of a message name, the most specific is meant: a line before its whole, an item last. Default: 1. */
  readonly specificity?: 0 | 2;
  readonly events: readonly EventRow[];
}

/** Everything that only one kind of record has. What reads its record is beside it, in `advice.ts`. */
export interface Kind extends FamilyRow {
  /** The `subject` of a CloudEvent begins with it. */
  readonly plural: string;
  readonly operations: Operations;
  /** Operation that returns it; null if there is none. */
  readonly retrieval: string | null;
  /** Listing by the time of the last change, with the dotted paths by which it is filtered. */
  readonly listing?: {
    readonly operation: string;
    /** Largest page. */
    readonly pageLimit: number;
    readonly changed: string;
    readonly closed: string;
  };
  /** Dotted paths by which the rows are filtered of what has no id. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Milestones that are announced, in a merchant's words: of its events, those that its record shows, and those of the clock. */
  readonly announced: { readonly [M in Milestone]?: string };
  /** Stages after which nothing more is expected, besides those that are the last of every kind. */
  readonly lastStages?: readonly (keyof typeof stageRows)[];
  /** Messages of its events have its state, which is not fetched then. */
  readonly isShown?: true;
  /** It is found by its customer, too. */
  readonly isOfCustomer?: true;
  /** Its lines have events of their own, and it is picked. */
  readonly hasLines?: true;
  /** Announcements name the members of its advice that have changed. */
  readonly namesChanges?: true;
  /** Names of its stages, in the words of whoever looks at them. Default: as they are. */
  readonly stageNames?: { readonly [S in keyof typeof stageRows]?: string };
  /** Dates of its record that deadlines count from, besides that of its creation. */
  readonly dates?: readonly string[];
  /** Setting of the sections that are fetched with it, and that of them which has its saved elements, whose dates deadlines count from. */
  readonly sections?: { readonly setting: 'orderDetail' | 'receiptDetail'; readonly savedElements: string };
  /** It leaves with a carrier: rules for deadlines ask for carrier and service, and it is forecast which truck it takes. */
  readonly isRouted?: true;
  /** Its lead times are kept. */
  readonly isTimed?: true;
}

/** Properties of a listing as seen in the real system for orders, and guessed from those for the rest. */
export const listed = { changed: 'readOnly.lastModifiedDate', closed: 'readOnly.isClosed' } as const;

/** Milestones of what is due, by the rules for deadlines. */
export const dated = {
  atRisk: 'It will probably miss its deadline: `data.deadline` says why. Never inferred; the clock says it.',
  overdue: 'Its deadline has passed. `late` is true if that was more than five minutes ago.',
  recovered: 'It was at risk or overdue and is so no longer: it is done, or its deadline has moved.',
} as const;
