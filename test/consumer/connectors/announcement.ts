import type { Announcement } from '../../../consumer/src/announcement.ts';

/** Returns an announcement of a type with an advice. */
export const announcementWith = (type: string, advice: object, id = `${type}/1`): Announcement =>
  ({ id, type: `dockline.${type}`, data: { advice } }) as unknown as Announcement;
