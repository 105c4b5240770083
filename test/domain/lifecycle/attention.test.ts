import { describe, expect, it } from 'vitest';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import { attentionOf, type SavedSubject } from '../../../src/domain/lifecycle/attention.ts';
import type { Registers } from '../../../src/domain/lifecycle/lifecycle.ts';
import { lifecycleOf, reached, savedOf } from '../../support/make.ts';

const stalled = reached('stalled');
const resumed: Registers = { attention: { milestone: 'resumed', time: 2, eventId: null } };
const deleted = reached('deleted');

const confirmed = reached('confirmed');

const attentionWith = (registers: Registers, more: Partial<SavedSubject> = {}, kind: SubjectKind = 'order') =>
  attentionOf(kind, savedOf({ lifecycle: lifecycleOf({ registers }), ...more }));

describe('a subject', () => {
  const refused = [{ operation: 'getUser', message: 'GET answered 404', since: 1 }] as const;

  it('needs no attention while all is well', () => {
    expect(attentionWith({})).toEqual([]);
    expect(attentionWith(resumed)).toEqual([]);
  });

  it('needs attention for each of its reasons by itself', () => {
    expect(attentionWith(stalled)).toEqual(['stalled']);
    expect(attentionWith({}, { refused })).toEqual(['refused']);
    expect(attentionWith({}, { isUnannounced: true })).toEqual(['unannounced']);
  });

  it('needs attention for several reasons at once', () => {
    expect(attentionWith(stalled, { refused, isUnannounced: true })).toEqual(['stalled', 'refused', 'unannounced']);
  });

  it('that was deleted needs none for what is refused of it, which nobody can mend', () => {
    expect(attentionWith(deleted, { refused })).toEqual([]);
    expect(attentionWith(deleted, { refused, isUnannounced: true })).toEqual(['unannounced']);
  });

  it('that has run its course needs none for its parts, unless its kind has no course', () => {
    expect(attentionWith(confirmed, { refused })).toEqual([]);
    const own = [{ operation: 'getOrder', message: 'GET answered 404', since: 1 }] as const;
    expect(attentionWith(confirmed, { refused: own })).toEqual(['refused']);
    expect(attentionWith({}, { refused }, 'item')).toEqual(['refused']);
  });
});
