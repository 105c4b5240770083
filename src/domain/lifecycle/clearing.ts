import type { SubjectKind } from '../catalogue/subject.ts';
import { type Attention, attentionOf, type Cleared, type SavedSubject } from './attention.ts';
import { undoRelease } from './observe.ts';
import { newestOf, type Refusal } from './refusal.ts';

type Marks = Pick<SavedSubject, 'refused' | 'isUnannounced' | 'cleared'>;

const none: Cleared = { refused: [], isUnannounced: false };

export const clearMarks = ({ refused, isUnannounced, cleared = none }: Marks): Marks => ({
  ...none,
  cleared: {
    refused: newestOf([...cleared.refused, ...refused]),
    isUnannounced: cleared.isUnannounced || isUnannounced,
  },
});

/** Except dead letters that are sent again or acknowledged by now. */
export const restoreMarks = ({ refused, isUnannounced, cleared = none }: Marks, hasDeadLetters: boolean): Marks => ({
  refused: newestOf([...cleared.refused, ...refused]),
  isUnannounced: isUnannounced || (cleared.isUnannounced && hasDeadLetters),
  cleared: undefined,
});

export function clearedOf(
  kind: SubjectKind,
  {
    lifecycle,
    cleared,
    attention,
  }: Pick<SavedSubject, 'lifecycle' | 'cleared'> & { readonly attention: readonly Attention[] },
  hasDeadLetters: boolean,
): readonly Attention[] {
  const restored = restoreMarks({ ...none, cleared }, hasDeadLetters);
  const marks = attentionOf(kind, { lifecycle: undoRelease(lifecycle), ...restored });
  return marks.filter((mark) => !attention.includes(mark));
}

/** The GET's result has replaced them. */
export function endFetched(
  cleared: Cleared | undefined,
  calls: readonly Pick<Refusal, 'operation'>[] = [],
): Cleared | undefined {
  const isFetched = ({ operation }: Refusal) => calls.some((call) => call.operation === operation);
  return cleared && { ...cleared, refused: cleared.refused.filter((it) => !isFetched(it)) };
}
