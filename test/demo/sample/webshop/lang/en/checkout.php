<?php

return [
    'title' => 'Checkout',
    'steps' => [
        'address' => 'Address',
        'payment' => 'Payment',
        'review' => 'Review',
    ],
    'address' => [
        'name' => 'Full name',
        'street' => 'Street and number',
        'postcode' => 'Postcode',
        'city' => 'City',
        'country' => 'Country',
    ],
    'payment' => [
        'choose' => 'How would you like to pay?',
        'card' => 'Credit card',
        'transfer' => 'Bank transfer',
        'declined' => 'Your bank declined the payment of :amount.',
    ],
    'place_order' => 'Place order and pay :amount',
    'terms' => 'By ordering you agree to our <a href=":url">terms</a>.',
    'thanks' => 'Thank you, :name! Your order :number is on its way.',
    'delivery' => '{0} Delivered today|{1} Delivered tomorrow|[2,*] Delivered in :count days',
];
