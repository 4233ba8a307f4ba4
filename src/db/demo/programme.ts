/** What the demo's organization offers on single evenings: for each subject what it says, and the kinds of evening. */
export const evenings: readonly { subject: string; about: string; kinds: readonly string[] }[] = [
  { subject: 'Bread Baking', about: 'Flour, water, salt and time', kinds: ['Workshop', 'Masterclass'] },
  {
    subject: 'Bicycle Repair',
    about: 'Brakes, chains and flat tyres',
    kinds: ['Workshop', 'Open Evening', 'Club Night'],
  },
  { subject: 'Open Data', about: 'What the city knows, and what can be made of it', kinds: ['Meetup', 'Talk'] },
  { subject: 'Urban Gardening', about: 'Balconies, beds and bees', kinds: ['Workshop', 'Talk', 'Club Night'] },
  { subject: 'Film Photography', about: 'From loading a camera to the print', kinds: ['Introduction', 'Club Night'] },
  { subject: 'Beekeeping', about: 'A year in the hive', kinds: ['Introduction', 'Talk'] },
  { subject: 'Public Speaking', about: 'Five minutes each, and kind applause', kinds: ['Practice', 'Workshop'] },
  { subject: 'Board Games', about: 'Old and new games; we explain the rules', kinds: ['Open Evening', 'Club Night'] },
  {
    subject: 'Creative Writing',
    about: 'Short exercises, read aloud by whoever wants to',
    kinds: ['Workshop', 'Meetup'],
  },
  { subject: 'Chess', about: 'For beginners and for those who have a rating', kinds: ['Open Evening', 'Club Night'] },
  { subject: 'Choir', about: 'Rounds and part songs, without an audition', kinds: ['Open Evening', 'Practice'] },
  { subject: 'Fermentation', about: 'Kimchi, kefir and patience', kinds: ['Workshop', 'Tasting'] },
  { subject: 'Olive Oil', about: 'Six oils and how to tell them apart', kinds: ['Tasting'] },
  { subject: 'Star Gazing', about: 'The sky above the harbour, if it is clear', kinds: ['Talk', 'Club Night'] },
  { subject: 'Local History', about: 'Pictures and stories of the quarter', kinds: ['Talk', 'Meetup'] },
  { subject: 'Repair Café', about: 'Bring what is broken; we mend it together', kinds: ['Evening'] },
];

/** What takes an evening a week, for some weeks. */
export const courses: readonly { name: string; about: string; location: string; weeks: number }[] = [
  {
    name: 'Watercolour for Beginners',
    about: 'From the first wash to a picture of the harbour',
    location: 'Library, Second Floor',
    weeks: 6,
  },
  { name: 'Spanish Conversation', about: 'Everyday talk from the first evening on', location: 'Online', weeks: 5 },
  { name: 'Woodworking: a Stool', about: 'By hand, without screws', location: 'Workshop B, Old Tram Depot', weeks: 5 },
  {
    name: 'First Aid',
    about: 'What to do until help comes, with a certificate at the end',
    location: 'Main Hall, Harbour Street 4',
    weeks: 3,
  },
  { name: 'Soldering and Electronics', about: 'A radio of your own', location: 'Workshop B, Old Tram Depot', weeks: 4 },
  {
    name: 'Improv Theatre',
    about: 'Games, scenes, and a show on the last evening',
    location: 'Town Theatre, Small Stage',
    weeks: 6,
  },
  {
    name: 'Climbing from the Ground Up',
    about: 'Knots, belaying and the first routes',
    location: 'Climbing Wall, Dock 2',
    weeks: 4,
  },
  { name: 'Screen Printing', about: 'Posters in two colours', location: 'Workshop B, Old Tram Depot', weeks: 4 },
];

/** What can be seen in the gallery for some days. */
export const exhibitions: readonly { name: string; about: string }[] = [
  { name: 'Exhibition: Harbour Photographs', about: 'Pictures of a hundred years, from the archive and from attics' },
  { name: 'Exhibition: Printed in the Quarter', about: 'Posters from our own press' },
  { name: 'Exhibition: Watercolours of the Year', about: 'What our courses have painted' },
  { name: 'Exhibition: Chairs and Stools', about: 'Please do sit on them' },
];

/** Where evenings are. */
export const places = [
  'Main Hall, Harbour Street 4',
  'Library, Second Floor',
  'Workshop B, Old Tram Depot',
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
export const demoProfiles = {
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
