import { z } from 'zod';

/** A user or a customer: nothing of it is read yet, so any object will do. */
export const anyObject = z.looseObject({});
