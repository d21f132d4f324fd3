-- Whether two people are connected by access links made after a time, also through other people.
-- Locks: none; reads staff_ties.
create function are_tied(one text, other text, since timestamptz) returns boolean language sql stable as $$
  with recursive circle (person) as (
    select one
    union
    select case when t.person = c.person then t.by_person else t.person end
    from circle c join staff_ties t on c.person in (t.person, t.by_person)
    where t.at > since
  )
  select exists (select from circle where circle.person = other)
$$;
