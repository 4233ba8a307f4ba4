interface Shown {
  description?: string | null;
  location?: string | null;
  url?: string | null;
}

/** What the page of an event has beyond the item of a list. */
export function EventDetails({ event: { description, location, url } }: { event: Shown }) {
  return (
    <>
      {location && <p>Where: {location}</p>}
      {description && <p className="description">{description}</p>}
      {url && (
        <p>
          <a href={url}>Public page</a>
        </p>
      )}
    </>
  );
}

interface Subscriber {
  id: string;
  attendeeName: string;
  status: string;
  waitingPosition?: number | null;
}

/** Who subscribed, for managers and owners. */
export function Subscribers({ all }: { all: readonly Subscriber[] }) {
  return (
    <table>
      <caption>Subscribers</caption>
      <thead>
        <tr>
          <th>Name</th>
          <th>Status</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ id, attendeeName, status, waitingPosition }) => (
          <tr key={id}>
            <td>{attendeeName}</td>
            <td>
              {status.toLowerCase()}
              {waitingPosition != null && ` (${waitingPosition})`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
