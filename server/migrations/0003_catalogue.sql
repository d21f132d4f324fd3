insert into services (service, position, name, transaction) values
  ('recharge', 1, 'Recharge', 'recharge'),
  ('bills', 2, 'Bill payments', 'bill payment'),
  ('transfers', 3, 'Money transfer', 'money transfer'),
  ('bus', 4, 'Bus booking', 'bus booking'),
  ('aeps', 5, 'AEPS', 'AEPS transaction');

insert into operators (operator, position, name, kind, account_label, account_pattern, account_example, min_amount, max_amount) values
  ('AT', 1, 'Airtel', 'mobile_prepaid', 'Mobile number', '^[6-9][0-9]{9}$', '9876543000', 100000, 50000000),
  ('JO', 2, 'Jio', 'mobile_prepaid', 'Mobile number', '^[6-9][0-9]{9}$', '7012345000', 100000, 50000000),
  ('VI', 3, 'Vi', 'mobile_prepaid', 'Mobile number', '^[6-9][0-9]{9}$', '9812345000', 100000, 50000000),
  ('BT', 4, 'BSNL top-up', 'mobile_prepaid', 'Mobile number', '^[6-9][0-9]{9}$', '9412345000', 100000, 50000000),
  ('BS', 5, 'BSNL special', 'mobile_prepaid', 'Mobile number', '^[6-9][0-9]{9}$', '9412345000', 100000, 50000000),
  ('MT', 6, 'MTNL', 'mobile_prepaid', 'Mobile number', '^[6-9][0-9]{9}$', '9868012000', 100000, 50000000),
  ('AD', 7, 'Airtel Digital TV', 'dth', 'Customer ID', '^[0-9]{8,12}$', '3012345000', 100000, 50000000),
  ('DT', 8, 'Dish TV', 'dth', 'Viewing card number', '^[0-9]{8,12}$', '01512345000', 100000, 50000000),
  ('D2', 9, 'd2h', 'dth', 'Subscriber ID', '^[0-9]{8,12}$', '123456000', 100000, 50000000),
  ('SD', 10, 'Sun Direct', 'dth', 'Smart card number', '^[0-9]{8,12}$', '41234567000', 100000, 50000000),
  ('TP', 11, 'Tata Play', 'dth', 'Subscriber ID', '^[0-9]{8,12}$', '1234567000', 100000, 50000000);

insert into operator_aliases (alias, operator) values
  ('AIRTEL', 'AT'), ('JIO', 'JO'), ('VODAFONE', 'VI'), ('IDEA', 'VI'), ('BSNL', 'BT'), ('MTNL', 'MT'),
  ('AIRTELTV', 'AD'), ('DISHTV', 'DT'), ('D2H', 'D2'), ('SUNDIRECT', 'SD'), ('TATAPLAY', 'TP');
