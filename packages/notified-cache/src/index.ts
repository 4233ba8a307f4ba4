export { type ListenClient, type NotificationFeed, NotificationListener } from './notification-listener.ts';
export { OwnedCache } from './owned-cache.ts';
