export { type CalendarEvent, type CalendarOptions, calendarFile } from './calendar.ts';
