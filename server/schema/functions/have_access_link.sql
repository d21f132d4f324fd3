-- Whether two people are connected by access links made after a time, also through second_person people.
-- Locks: none; reads staff_access_grants.
create function have_access_link(first_person text, second_person text, since timestamptz) returns boolean language sql stable as $$
  with recursive linked (person) as (
    select first_person
    union
    select case when t.person = c.person then t.granted_by else t.person end
    from linked c join staff_access_grants t on c.person in (t.person, t.granted_by)
    where t.at > since
  )
  select exists (select from linked where linked.person = second_person)
$$;
