<?php

return [
    'title' => 'Your cart',
    'empty' => 'Your cart is empty.',
    'items' => ':count item|:count items',
    'subtotal' => 'Subtotal',
    'total' => 'Total: :amount',
    'remove' => 'Remove :product',

    // Shown below the total while there is something to gain.
    'free_delivery' => 'Only :amount to go for free delivery',
    'voucher' => [
        'label' => 'Voucher code',
        'apply' => 'Apply',
        'invalid' => 'The code :code is not valid (any more).',
        'applied' => "You save :amount with :code. It's yours until midnight!",
    ],
    'continue' => 'Continue shopping',
    'checkout' => 'To checkout',
];
