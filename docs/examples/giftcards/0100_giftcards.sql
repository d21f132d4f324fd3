-- The service: its name, and what one of its transactions is called in a sentence.
insert into services (service, position, name, transaction) values ('giftcards', 100, 'Gift cards', 'gift card');

-- What the service stores in addition to the order.
create table gift_cards (
  account_id text not null,
  order_id text not null,
  brand text not null,
  message text not null,
  primary key (account_id, order_id)
);
