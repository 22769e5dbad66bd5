<?php

return [
    'title' => 'Commande',
    'steps' => [
        'address' => 'Adresse',
        'payment' => 'Paiement',
        'review' => 'Vérification',
    ],
    'address' => [
        'name' => 'Nom complet',
        'street' => 'Rue et numéro',
        'postcode' => 'Code postal',
        'city' => 'Ville',
        'country' => 'Pays',
    ],
    'payment' => [
        'choose' => 'Comment souhaitez-vous payer ?',
        'card' => 'Carte bancaire',
    ],
    'thanks' => 'Merci, :nom ! Votre commande :number est en route.',
];
