import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import type { Stage } from '../../../src/domain/lifecycle/stage.ts';
import type { ApiOperation } from '../api/faults.ts';
import type { Manners } from '../manners.ts';
import type { LocalTime, Resource } from '../resources/resource.ts';
import type { ItemSection, Section, Sections } from '../resources/sections.ts';
import type { Effect, Entry, NewSubject } from '../state/entry.ts';

/** Subject or order line as the API shows it and messages name it. All names but an order's are a guess after those. */
export interface Shown {
  /** `resource.rel` of a message. */
  readonly rel: string;
  readonly path: string;
  /** `data` of a message. */
  readonly ids: Readonly<Record<string, string>>;
  readonly body: Resource;
}

/** Sections that one resource of a webhook record adds to its messages. */
export interface Selection {
  readonly detail?: Section;
  readonly itemDetail?: ItemSection;
}

/** Event type of webhook records (specification 6.2). */
export interface EventTypeRow {
  readonly type: string;
  /** Resources that a record can include. */
  readonly resources: Readonly<Record<string, Selection>>;
}

export const onlyDefault = { Default: {} } as const;

/** Ids of a path, by their names in it. */
export type Ids = Readonly<Record<string, number>>;

/** Request for one resource. */
export interface ResourceRequest {
  /** Reads a number of the path. Throws a VendorError if it is not a number. */
  id(name: string): number;
  /** Parameters by their lower-case names. */
  readonly query: URLSearchParams;
}

/** Subjects of one kind as the API shows them, without those that are deleted. */
export interface Own<S> {
  readonly localTime: LocalTime;
  find(id: number): S | undefined;
  /** Finds the one that a part belongs to. */
  findWhole(partId: number): S | undefined;
}

/** GET of one resource besides that of a transaction. */
export interface OwnRetrieval<S> {
  readonly operation: ApiOperation;
  readonly path: string;
  find(own: Own<S>, request: ResourceRequest): Resource | undefined;
  /** Lists the ids of everything that it can return. */
  all(states: readonly S[]): readonly Ids[];
}

/** Advice of an announcement, as its receiver reads it. */
export type Advice = Readonly<Record<string, unknown>>;

/** Everything that only one kind has in the simulated warehouse; what the specification says of it is in the row of the product. */
export interface Kind<S extends Entry = Entry> extends EventTypeRow {
  /** Creates one that depends on what it is given alone. */
  create(subject: NewSubject): S;
  /** Effects of its events and those of its lines, by milestone. Each may happen at any time: the specification does not restrict their order. */
  readonly effects: { readonly [M in Milestone]?: Effect<S> };
  /** Stage of one that is not deleted. */
  stage(state: S): Stage;
  /**
   * Milestones of its events in order, by scenario. `?` marks an event that the seed may leave out, `*` one event for each line (by default
   * an event is about the first), `!` a pick job that leaves lines unpicked, and `-` and `+` an update that deactivates or reactivates an item.
   */
  readonly scenarios: Readonly<Record<string, string>>;
  /** Orders that a demonstration plays for each one of it. */
  readonly orders: number;
  /** Shows it with the requested sections; sections of other kinds are ignored. */
  show(state: S, sections: Sections, localTime: LocalTime): Shown;
  /** With real goods, its records come in several forms. */
  readonly hasForms?: true;
  /** Members of `readOnly` that say in many ways that something has not happened yet. */
  readonly unset?: Readonly<Record<'dates' | 'flags', readonly string[]>>;
  /** Properties by which its rows are filtered and sorted besides those of all transactions. The lists are guesses. */
  readonly properties?: readonly string[];
  readonly retrievals?: readonly OwnRetrieval<S>[];
  /** Ids of its parts that have a GET which names nothing else. */
  parts?(state: S): readonly number[];
  /** Its line that an event is about, by default the first. Throws if it has no such line. */
  lineId?(state: S, lineId?: string): string;
  showLine?(state: S, lineId: string, sections: Sections): Shown;
  /** Resource in a message, in place of the one that its GET returns; `all` lists the subjects of the kind. */
  inMessage?(state: S, form: Manners, all: () => readonly S[]): Resource | readonly Resource[];
  /** Facts that its record shows besides whose it is and where. */
  facts(state: S): Snapshot;
  /** Expected advice, with the members that are compared; `saysStatus` is false where no record shows the status. */
  readonly advice?: { readonly compared: readonly string[]; truth(state: S, saysStatus: boolean): Advice };
}
