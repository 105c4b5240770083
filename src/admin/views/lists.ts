import { auditList } from './audit.ts';
import type { List } from './list.ts';

/** Every list that people look at. */
export const lists: readonly List[] = [auditList];
