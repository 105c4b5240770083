import type { Kind } from './kind.ts';
import { type Movement, movementOf } from './movement.ts';

export const adjustment = { ...movementOf('adjustment'), type: 'Adjustment' } as const satisfies Kind<
  Movement<'adjustment'>
>;
