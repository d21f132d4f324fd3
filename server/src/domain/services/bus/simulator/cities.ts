import type { City } from "../provider-service.ts";

/** The simulator's cities, with two stops each. */
export type SimulatedCity = City & { readonly stops: readonly [string, string] };

function city(cityId: string, name: string, state: string, first: string, second: string): SimulatedCity {
  return { cityId, name, state, stops: [first, second] };
}

export const CITIES: readonly SimulatedCity[] = [
  city("AMD", "Ahmedabad", "Gujarat", "Geeta Mandir", "Paldi"),
  city("BLR", "Bengaluru", "Karnataka", "Majestic", "Madiwala"),
  city("BPL", "Bhopal", "Madhya Pradesh", "Nadra Bus Stand", "ISBT Habibganj"),
  city("CBE", "Coimbatore", "Tamil Nadu", "Gandhipuram", "Singanallur"),
  city("CHN", "Chennai", "Tamil Nadu", "Koyambedu", "Tambaram"),
  city("DEL", "Delhi", "Delhi", "Kashmere Gate", "Anand Vihar"),
  city("GOA", "Panaji", "Goa", "Kadamba Bus Stand", "Mapusa"),
  city("HYD", "Hyderabad", "Telangana", "MGBS", "Kukatpally"),
  city("IDR", "Indore", "Madhya Pradesh", "Sarwate", "Vijay Nagar"),
  city("JAI", "Jaipur", "Rajasthan", "Sindhi Camp", "Narayan Singh Circle"),
  city("KOC", "Kochi", "Kerala", "Vyttila Hub", "Kaloor"),
  city("KOL", "Kolkata", "West Bengal", "Esplanade", "Karunamoyee"),
  city("LKO", "Lucknow", "Uttar Pradesh", "Alambagh", "Kaiserbagh"),
  city("MDU", "Madurai", "Tamil Nadu", "Mattuthavani", "Arappalayam"),
  city("MUM", "Mumbai", "Maharashtra", "Dadar", "Borivali"),
  city("MYS", "Mysuru", "Karnataka", "Suburban Bus Stand", "Satagalli"),
  city("NGP", "Nagpur", "Maharashtra", "Ganeshpeth", "Ravi Nagar"),
  city("PUN", "Pune", "Maharashtra", "Swargate", "Wakad"),
  city("TRV", "Thiruvananthapuram", "Kerala", "Thampanoor", "Kazhakkoottam"),
  city("VTZ", "Visakhapatnam", "Andhra Pradesh", "Dwaraka Bus Station", "Gajuwaka"),
];

export function cityOf(cityId: string): SimulatedCity | null {
  return CITIES.find((one) => one.cityId === cityId) ?? null;
}
