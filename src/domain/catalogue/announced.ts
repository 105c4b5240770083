import type { Milestone } from '../lifecycle/milestone.ts';
import { type SubjectKind, tableOf } from './subject.ts';

/** By kind, in a merchant's words. The documentation, the OpenAPI document and the package for consumers are compared with it. */
export const announced = tableOf('announced');

type Announced = typeof announced;

export type AnnouncementType = {
  [K in SubjectKind]: `dockline.${K}.${keyof Announced[K] & string}`;
}[SubjectKind];

export interface AnnouncedType {
  readonly kind: SubjectKind;
  readonly milestone: Milestone;
  /** Markdown. */
  readonly words: string;
}

export const announcementTypes = new Map(
  Object.entries(announced).flatMap(([kind, milestones]) =>
    Object.entries(milestones).map(([milestone, words]): [AnnouncementType, AnnouncedType] => [
      `dockline.${kind}.${milestone}` as AnnouncementType,
      { kind: kind as SubjectKind, milestone: milestone as Milestone, words },
    ]),
  ),
);

export const isWatched = (kind: SubjectKind): boolean => 'stalled' in announced[kind];
