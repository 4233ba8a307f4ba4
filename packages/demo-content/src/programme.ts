/** Evenings: subject, description, and the kinds of evening that it can be. */
export const evenings: readonly (readonly [subject: string, about: string, kinds: readonly string[]])[] = [
  ['Bread Baking', 'Flour, water, salt and time', ['Workshop', 'Masterclass']],
  ['Bicycle Repair', 'Brakes, chains and flat tyres', ['Workshop', 'Open Evening', 'Club Night']],
  ['Open Data', 'What the city knows, and what can be made of it', ['Meetup', 'Talk']],
  ['Urban Gardening', 'Balconies, beds and bees', ['Workshop', 'Talk', 'Club Night']],
  ['Film Photography', 'From loading a camera to the print', ['Introduction', 'Club Night']],
  ['Beekeeping', 'A year in the hive', ['Introduction', 'Talk']],
  ['Public Speaking', 'Five minutes each, and kind applause', ['Practice', 'Workshop']],
  ['Board Games', 'Old and new games; we explain the rules', ['Open Evening', 'Club Night']],
  ['Creative Writing', 'Short exercises, read aloud if you like', ['Workshop', 'Meetup']],
  ['Chess', 'For beginners and for those who have a rating', ['Open Evening', 'Club Night']],
  ['Choir', 'Rounds and part songs, without an audition', ['Open Evening', 'Practice']],
  ['Fermentation', 'Kimchi, kefir and patience', ['Workshop', 'Tasting']],
  ['Olive Oil', 'Six oils and how to tell them apart', ['Tasting']],
  ['Star Gazing', 'The sky above the harbour, if it is clear', ['Talk', 'Club Night']],
  ['Local History', 'Pictures and stories of the quarter', ['Talk', 'Meetup']],
  ['Repair Café', 'Bring what is broken; we mend it together', ['Evening']],
];

const workshop = 'Workshop B, Old Tram Depot';

/** Courses: an evening a week, in one place. */
export const courses: readonly (readonly [name: string, about: string, location: string, weeks: number])[] = [
  ['Watercolour for Beginners', 'From the first wash to a picture of the harbour', 'Library, Second Floor', 6],
  ['Spanish Conversation', 'Everyday talk from the first evening on', 'Online', 5],
  ['Woodworking: a Stool', 'By hand, without screws', workshop, 5],
  ['First Aid', 'What to do until help comes, with a certificate at the end', 'Main Hall, Harbour Street 4', 3],
  ['Soldering and Electronics', 'A radio of your own', workshop, 4],
  ['Improv Theatre', 'Games, scenes, and a show on the last evening', 'Town Theatre, Small Stage', 6],
  ['Climbing from the Ground Up', 'Knots, belaying and the first routes', 'Climbing Wall, Dock 2', 4],
  ['Screen Printing', 'Posters in two colours', workshop, 4],
];

/** What can be seen in the gallery for some days. */
export const exhibitions = [
  ['Exhibition: Harbour Photographs', 'Pictures of a hundred years, from the archive and from attics'],
  ['Exhibition: Printed in the Quarter', 'Posters from our own press'],
  ['Exhibition: Watercolours of the Year', 'What our courses have painted'],
  ['Exhibition: Chairs and Stools', 'Please do sit on them'],
] as const;

/** Where evenings are. */
export const places = [
  'Main Hall, Harbour Street 4',
  'Library, Second Floor',
  workshop,
  'Town Theatre, Small Stage',
  'Community Kitchen, Market Square 11',
];

/** Where exhibitions are. */
export const gallery = 'Gallery, Harbour Street 4';

/** What is said of many evenings. */
export const sentences = [
  'No experience is needed; bring **comfortable clothes** and your questions.',
  'We begin on time and end with a cup of tea.',
  'Tools and materials are provided.',
  'The room is accessible without steps, and there is an induction loop.',
  'Please cancel if you cannot come, so that somebody on the waiting list can.',
];

/** What the demo's organizations say about themselves. */
export const profiles = {
  harbour: {
    name: 'Harbour Arts & Learning',
    slug: 'demo',
    description:
      'Evenings, courses and exhibitions **at the old harbour**, run by neighbours for everybody.\n\n- *Evenings* need no preparation: come after work.\n- *Courses* take an evening a week; each evening has a page of its own.\n- *Exhibitions* are open for some days, from ten to six.',
    website: 'https://example.org/harbour-arts',
    contact_email: 'hello@harbour-arts.example.org',
    accent: '#0b6e63',
  },
  books: {
    name: 'Quayside Book Club',
    slug: 'demo-books',
    description: 'Twelve readers, one book a month, and a kettle. **New readers are welcome**: write to us first.',
    website: 'https://example.org/quayside-books',
    contact_email: 'readers@quayside-books.example.org',
    accent: '#8a2b5b',
  },
} as const;
