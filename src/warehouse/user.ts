import { z } from 'zod';

/** A user: nothing of it is read yet, so any object will do. */
export const user = z.looseObject({});
