<?php

return [
    'title' => 'Afrekenen',
    'steps' => [
        'address' => 'Adres',
        'payment' => 'Betaling',
        'review' => 'Controle',
    ],
    'address' => [
        'name' => 'Naam',
        'street' => 'Straat en huisnummer',
        'postcode' => 'Postcode',
        'city' => 'Plaats',
        'country' => 'Land',
    ],
    'payment' => [
        'choose' => 'Hoe wil je betalen?',
        'card' => 'Creditcard',
        'transfer' => 'Overschrijving',
        'declined' => 'Je bank heeft de betaling van :amount geweigerd.',
    ],
    'place_order' => 'Bestellen en :amount betalen',
    'terms' => 'Met je bestelling ga je akkoord met onze <a href=":url">voorwaarden</a>.',
    'thanks' => 'Dank je wel, :name! Je bestelling :number is onderweg.',
    'delivery' => '{0} Vandaag bezorgd|{1} Morgen bezorgd|[2,*] Bezorgd over :count dagen',
];
