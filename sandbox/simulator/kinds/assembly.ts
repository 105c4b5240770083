import type { Kind } from './kind.ts';
import { type Movement, movementOf } from './movement.ts';

export const assembly = { ...movementOf('assembly'), type: 'Assembly' } as const satisfies Kind<Movement<'assembly'>>;
